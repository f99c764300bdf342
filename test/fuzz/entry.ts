/** What the fuzz calls, as one bundle. */
export { checkDocument } from "../../src/core/config/check.js";
export { parseConfig } from "../../src/core/config/document/configDocument.js";
export { migrateDocument } from "../../src/core/config/migrate/migrateDocument.js";
export { migrationTargets } from "../../src/core/config/migrate/migration.js";
export { readConfig, readOffloadSettings } from "../../src/core/config/readConfig.js";
export { choiceEdit } from "../../src/core/config/write/choiceEdits.js";
export { taggedValue } from "./taggedValue.js";
