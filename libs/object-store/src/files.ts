export { type FileDoorOptions, openFileDoor } from './file-door.ts';
export { FileObjectStore, type FileObjectStoreOptions, openFileObjectStore } from './file-object-store.ts';
export { DamagedObject } from './object-store.ts';
