import { registerControls } from "../kit/controls.js";
import { problemNotice } from "../kit/problemNotice.js";
import { Connection } from "./connection.js";
import { LoadingNotice } from "./panels/loadingNotice.js";
import { createProfileView, type ProfileView } from "./profileView.js";
import "./styles.css";

/* The browser half of the profile editor: waits for what the extension announces and shows it. */

registerControls();
const page = document.getElementById("page") ?? document.body;
let shown: ProfileView | undefined;
let loading: LoadingNotice | undefined;

const connection = new Connection((message) => {
  if (message.type === "command") return shown?.run(message.command);
  if (message.type === "exported") return shown?.tellExported(message.outcome);
  if (message.type === "loading") {
    if (loading === undefined) {
      leave();
      loading = startLoading();
    }
    return loading.show(message.fileName, message.sizeBytes, message.progress);
  }
  leave();
  if (message.type === "problem") page.replaceChildren(problemNotice(message.problem));
  else {
    shown = createProfileView(message.profile, connection);
    page.replaceChildren(shown.root);
  }
});

/** Takes away what was shown: the file that it was about is gone or has changed. */
function leave(): void {
  connection.forgetQuestions();
  shown?.close();
  shown = loading = undefined;
}

function startLoading(): LoadingNotice {
  const notice = new LoadingNotice(() => connection.tell({ type: "cancel" }));
  page.replaceChildren(notice.root);
  return notice;
}

loading = startLoading();
loading.show("the file", null, undefined);
connection.ready();
