export { acceptLoss } from './accept-loss.ts';
export { DataDirectory, DataDirectoryUnusable, KNOWLEDGE, OBJECTS, TREES } from './data-directory.ts';
export { FileRemovals } from './file-removals.ts';
export { FileInstallation, filesUsed, logsIn, ownLogs, pathOf, refusals, RESTORING } from './file-installation.ts';
export { BROKER, markOfFile, stampFile } from './file-looks.ts';
export { checksumOf, SEALED } from './log-seals.ts';
export { MANIFEST, type Manifest, newManifest, readManifest, syncPath, writeManifest, writeWhole } from './manifest.ts';
export { LogRefused, type Mark, RestoreUnfinished } from './mark.ts';
