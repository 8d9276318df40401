export {
  BadContentType,
  BadKey,
  DamagedObject,
  type DownloadGrant,
  type ListedObject,
  ObjectStore,
  type OpenObject,
  type PutOptions,
  type SignedDownload,
  type SignedUpload,
  type StoredObject,
  StoreUnavailable,
  type UploadGrant,
  WrongSize,
} from './object-store.ts';
export { named, type ObjectNames, type ObjectNaming, released } from './object-names.ts';
export { removeAll } from './remove-all.ts';
export { assertKey, disposition } from './rules.ts';
