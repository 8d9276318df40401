// For the commands that look after the data of an installation: backup, restore, verify, accept-loss.
export { DataDirectory, DataDirectoryUnusable, OBJECTS } from './foundation/data-directory.ts';
export { masterKeyThere } from './foundation/host.ts';
export { acceptLoss } from './installation/accept-loss.ts';
export { comeToRest, type Prepared } from './installation/come-to-rest.ts';
export { filesUsed, logsIn, ownLogs, pathOf, refusals, type Uses } from './installation/file-installation.ts';
export { BROKER, markOfFile, stampFile } from './installation/file-looks.ts';
export { checksumOf, SEALED } from './installation/log-seals.ts';
export { MANIFEST, type Manifest, newManifest, readManifest, syncPath, writeManifest, writeWhole } from './installation/manifest.ts';
export { LogRefused, type Mark } from './installation/mark.ts';
export { readWholeLog } from './installation/read-whole-log.ts';
