export { RevocationCopy } from './copy.ts';
export { type Poll, type RevocationEntry, RevocationFeed, type RevocationNews } from './feed.ts';
export { MemoryWatcherRegistry } from './memory.ts';
export { RevocationRecords, StoredRevocations } from './records.ts';
export { type Watching, WatcherRegistry } from './registry.ts';
export { FOREVER, lift, outdatedRevocations, type RevocationRow, revocationRows, revoke } from './rows.ts';
export { CLOCKS_APART_MS, GONE, IN_ONE_PROCESS, MARGIN_MS, OVER_THE_NETWORK, type Terms } from './terms.ts';
export { SystemTime, Time } from './time.ts';
export { RevocationSource, RevocationWatcher } from './watcher.ts';
