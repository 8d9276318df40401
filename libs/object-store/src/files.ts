export { type FileDoorOptions, openFileDoor } from './file-door.ts';
export { FileObjectStore, type FileObjectStoreOptions, openFileObjectStore } from './file-object-store.ts';
export { isStoredIn } from './stored-in.ts';
export { DamagedObject } from './object-store.ts';
