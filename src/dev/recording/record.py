"""Records what transformers builds: for every class with a language-model head, the modules of its default configuration, of a tiny one,
and of the tiny one with each key changed in turn; with the renames of its loader. Nothing is downloaded and no weights are made.

usage: OUT=DIRECTORY [P=PROCESSES] [MAXS=SECONDS] [ONLY=model_type,...] python record.py     writes DIRECTORY/vary.json.gz for learn.py
"""
import json,gzip,os,sys,signal,warnings,copy,time,multiprocessing as mp
warnings.filterwarnings('ignore')
os.environ['HF_HUB_OFFLINE']='1'; os.environ['TRANSFORMERS_VERBOSITY']='error'; os.environ['CUDA_VISIBLE_DEVICES']=''
import torch,transformers
torch.set_num_threads(1)
from transformers.models.auto import modeling_auto as A
from torch import nn
small=dict(hidden_size=64,intermediate_size=96,num_hidden_layers=4,num_attention_heads=4,num_key_value_heads=2,head_dim=16,vocab_size=128,max_position_embeddings=256,moe_intermediate_size=32,num_experts=4,num_local_experts=4,n_routed_experts=4,num_experts_per_tok=2,n_embd=64,n_layer=4,n_head=4,ffn_dim=96,d_model=64,num_layers=4,shared_expert_intermediate_size=32,n_group=1,topk_group=1,kv_lora_rank=16,q_lora_rank=24,qk_rope_head_dim=8,qk_nope_head_dim=8,v_head_dim=16,depth=3,num_heads=4,embed_dim=64,image_size=28,patch_size=14,out_hidden_size=64,
 linear_num_key_heads=2,linear_num_value_heads=4,linear_key_head_dim=16,linear_value_head_dim=16,word_embed_proj_dim=64,encoder_layers=2,decoder_layers=2,encoder_ffn_dim=96,decoder_ffn_dim=96,encoder_attention_heads=4,decoder_attention_heads=4,pad_token_id=0,bos_token_id=1,eos_token_id=2,deepstack_visual_indexes=[0,1],moe_num_experts=4,moe_k=2,first_k_dense_replace=1,num_experts_per_token=2)
def shrink(cfg,depth=0):
    for k,v in small.items():
        if k in vars(cfg) and vars(cfg)[k] is not None and not isinstance(vars(cfg)[k],(dict,)):
            try: setattr(cfg,k,v)
            except Exception: pass
    for k in ('layer_types','mlp_layer_types','no_rope_layers','layers_block_type'):
        v=vars(cfg).get(k)
        if isinstance(v,list) and len(v)>4:
            try: setattr(cfg,k,v[:4])
            except Exception: pass
    if depth<3:
        for k in list(vars(cfg)):
            v=vars(cfg)[k]
            if isinstance(v,transformers.PretrainedConfig): shrink(v,depth+1)
class T(Exception): pass
def al(*a): raise T()
def rows(m):
    out=[]
    for n,x in m.named_modules():
        k=1 if isinstance(x,(nn.ModuleList,nn.Sequential)) else 2 if isinstance(x,nn.ModuleDict) else 0
        own=bool(list(x.named_parameters(recurse=False))) or any(b not in x._non_persistent_buffers_set and v is not None for b,v in x._buffers.items())
        out.append([n,type(x).__name__,k,int(own)])
    return out
def build(cls,cfg,secs=20):
    signal.signal(signal.SIGALRM,al); signal.alarm(secs)
    try:
        with torch.device('meta'): return cls(cfg)
    finally: signal.alarm(0)
PC=transformers.PretrainedConfig
def subs(cfg,path='',depth=0):
    yield path,cfg
    if depth<3:
        for k in list(vars(cfg)):
            v=vars(cfg)[k]
            if isinstance(v,PC): yield from subs(v,path+k+'.',depth+1)
def at(cfg,path):
    for k in path.split('.')[:-1]: cfg=getattr(cfg,k)
    return cfg
SKIP={'architectures','transformers_version','dtype','torch_dtype','id2label','label2id','bos_token_id','eos_token_id','pad_token_id','output_attentions','output_hidden_states','return_dict','use_cache','model_type','name_or_path','chunk_size_feed_forward','vocab_size','_attn_implementation','problem_type','tie_word_embeddings','gradient_checkpointing'}
def variants(k,v):
    if k in SKIP or k.startswith('_') : return
    if isinstance(v,bool): yield (not v)
    elif isinstance(v,int):
        if v<=64 and not any(s in k for s in ('token','_id','_idx','size','dim','seed')):
            for w in (v+1,0,1,2): 
                if w!=v: yield w
        if any(t in k for t in ('rank','size','dim','num','expert','layer','window','interval','freq','step','n_')): yield None
    elif v is None:
        for w in (2,True,[1]): yield w
    elif isinstance(v,str):
        if 'act' in k or 'hidden_act' in k: yield 'relu'
        elif len(v)<=12 and not k.endswith('type') and set(v)<=set('MSE*-FLAD'): yield v[::-1]
    elif isinstance(v,list):
        if v and all(isinstance(x,str) for x in v):
            for u in sorted(set(v)): yield [u]*len(v)
            yield v[::-1]
        elif all(isinstance(x,(int,bool)) for x in v):
            yield []
            if v and all(isinstance(x,bool) or x in (0,1) for x in v): yield [1-int(x) if not isinstance(x,bool) else (not x) for x in v]
            yield [1]; yield [0,2]
            yield v[::-1]
def one(job):
    mt,arch=job; t0=time.time()
    cls=getattr(transformers,arch,None)
    if cls is None: return dict(arch=arch,mt=mt,error='noclass')
    rec=dict(key=mt,arch=arch,cases=[],inert=[],failed=[])
    try:
        cc=cls.config_class; cfg=cc(); cfg.architectures=[arch]; rec['mt']=cfg.model_type
        try:
            m=build(cls,cfg,40); r=rows(m)
            if len(r)<9000: rec['cases'].append(dict(config=json.loads(cfg.to_json_string(use_diff=False)),rows=r,vary='default'))
        except (T,Exception) as e: rec['failed'].append(['default',repr(e)[:120]])
        base=None
        for how in ('tiny','fixed','few','default'):
            c=cc(); c.architectures=[arch]
            try:
                if how=='tiny': shrink(c)
                if how=='fixed':
                    shrink(c)
                    for p,o in subs(c):
                        n=vars(o).get('num_hidden_layers') or 4
                        for k,v in dict(head_dim=16,num_key_value_heads=2,n_routed_experts=4,num_experts=4,moe_intermediate_size=32,layer_types=['full_attention']*n,n_shared_experts=1,num_attention_heads=4).items():
                            if k in vars(o) and vars(o)[k] is None: setattr(o,k,v)
                if how=='few':
                    for p,s in subs(c):
                        n=getattr(s,'num_hidden_layers',None)
                        for k in list(vars(s)):
                            v=vars(s)[k]
                            if isinstance(v,list) and n and len(v)==n and n>4: setattr(s,k,v[:4])
                        if isinstance(n,int) and n>4: s.num_hidden_layers=4
                m=build(cls,c,30); base=c; break
            except (T,Exception) as e: rec['failed'].append([how,repr(e)[:120]])
        if base is None: return rec
        rec['base_model_prefix']=m.base_model_prefix; rec['no_split']=sorted(m._no_split_modules or [])
        rec['base_class']=type(getattr(m,m.base_model_prefix)).__name__ if m.base_model_prefix and hasattr(m,m.base_model_prefix) else None
        try:
            from transformers.conversion_mapping import get_model_conversion_mapping as g
            rec['conv']=[dict(kind=type(t).__name__,src=list(t._original_source_patterns),dst=list(t._original_target_patterns),psrc=list(t.source_patterns),pdst=list(t.target_patterns),scope=t.scope_prefix,base=t.base_model_prefix) for t in g(m,add_legacy=False)]
        except Exception as e: rec['conv_error']=repr(e)[:200]
        rec['unexpected']=[str(x) for x in (getattr(m,'_keys_to_ignore_on_load_unexpected',None) or [])]
        rec['tied']=list((getattr(m,'_tied_weights_keys',None) or {}))
        base_json=json.dumps(rows(m))
        rec['cases'].append(dict(config=json.loads(base.to_json_string(use_diff=False)),rows=json.loads(base_json),vary='base'))
        seen={base_json}
        for p,s in list(subs(base)):
            for k in list(vars(s)):
                v=vars(s)[k]
                if isinstance(v,(PC,dict)): continue
                inert=True;tried=False
                for w in variants(k,v):
                    if time.time()-t0>100: rec['failed'].append(['time',p+k]); break
                    for comp in (0,1):
                        c=copy.deepcopy(base)
                        try:
                            o=at(c,p); setattr(o,k,w)
                            ext={}
                            if comp and isinstance(v,int) and not isinstance(v,bool) and isinstance(w,int) and w>0:
                                for k2 in list(vars(o)):
                                    l=vars(o)[k2]
                                    if isinstance(l,list) and len(l)==v and v>1:
                                        l2=(l*3)[:w]; setattr(o,k2,l2); ext[k2]=l2
                                if not ext: continue
                            mm=build(cls,c,12); rr=rows(mm); j=json.dumps(rr); tried=True
                            if j!=base_json:
                                inert=False
                                if j not in seen and len(rr)<3000:
                                    rec['cases'].append(dict(vary=p+k,value=w,was=v,ext=ext,config=json.loads(c.to_json_string(use_diff=False)) if len(rec['cases'])<40 else None,rows=rr))
                                    seen.add(j)
                                else: rec['cases'].append(dict(vary=p+k,value=w,was=v,ext=ext,same=1))
                            break
                        except (T,Exception) as e: 
                            rec['failed'].append([p+k,str(w)[:40],repr(e)[:60]])
                if inert and tried: rec['inert'].append(p+k)
    except (T,Exception) as e: rec['error']=repr(e)[:200]
    rec['secs']=time.time()-t0
    return rec
if __name__=='__main__':
    names={}
    for mname in ('MODEL_FOR_CAUSAL_LM_MAPPING_NAMES','MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES','MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES'):
        for k,v in getattr(A,mname,{}).items(): names.setdefault(k,set()).update([v] if isinstance(v,str) else v)
    jobs=[(k,a) for k in sorted(names) for a in sorted(names[k])]
    only=os.environ.get('ONLY')
    if only: jobs=[j for j in jobs if j[0] in only.split(',')]
    out=os.environ['OUT']; t0=time.time(); recs=[]
    with mp.Pool(int(os.environ.get('P','15')),maxtasksperchild=8) as pool:
        it=pool.imap_unordered(one,jobs)
        while True:
            try: recs.append(it.next(timeout=max(5,float(os.environ.get('MAXS','470'))-(time.time()-t0))))
            except StopIteration: break
            except mp.TimeoutError: print('stopped',len(recs)); break
        with gzip.open(out+'/vary.json.gz','wt',compresslevel=6) as f: json.dump(recs,f)
        print(len(recs),len(jobs),time.time()-t0,sum(len(r.get('cases',[])) for r in recs),[ (r.get('key'),r['error']) for r in recs if 'error' in r][:20])
        os._exit(0)
