export { Tampered } from './cipher.ts';
export { KeyCache, type KeyCacheOptions } from './key-cache.ts';
export { loadMasterKey, type MasterKeySource, MasterKeyUnusable } from './master/load-master-key.ts';
export { LocalMasterKey, MasterKey, WrongMasterKey } from './master/master-key.ts';
export { KeyNotGranted, ServiceKey, serviceKeyText } from './master/service-key.ts';
export { FileKey, sealedSize } from './sealed-file.ts';
export type { OuterKeys, SubjectKeysOptions } from './stored-subject-keys.ts';
export {
  type KeyCompanion,
  KeyTaken,
  type PreparedKey,
  Shredded,
  type Subject,
  SubjectKey,
  SubjectKeys,
  SubjectMoved,
} from './subject-keys.ts';
export { isSealed, type Seal, type Sealed, subjectOf, Vault } from './vault.ts';
