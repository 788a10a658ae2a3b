/** Where the page begins: somebody's seat, or the question who sits down. */

import { App } from "./app.js";
import { startTicking } from "./render/time.js";
import { showSeats } from "./seats.js";

const user = new URLSearchParams(location.search).get("user");
startTicking();
if (user) new App(user).start();
else showSeats();
