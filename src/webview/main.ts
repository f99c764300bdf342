import { Connection } from "./connection.js";
import { registerControls } from "./controls.js";
import { loadingNotice, problemNotice } from "./notices.js";
import { createProfileView, type ProfileView } from "./profileView.js";
import "./styles.css";

/* The browser half of the profile editor: waits for what the extension announces and shows it. */

registerControls();
const page = document.getElementById("page") ?? document.body;
let shown: ProfileView | undefined;

const connection = new Connection((message) => {
  if (message.type === "command") {
    shown?.run(message.command);
    return;
  }
  if (message.type === "exported") return;
  connection.forgetQuestions();
  shown?.close();
  shown = undefined;
  if (message.type === "loading") page.replaceChildren(loadingNotice(message.fileName, message.sizeBytes));
  else if (message.type === "problem") page.replaceChildren(problemNotice(message.problem));
  else {
    shown = createProfileView(message.profile, connection);
    page.replaceChildren(shown.root);
  }
});
page.replaceChildren(loadingNotice("the profile", null));
connection.ready();
