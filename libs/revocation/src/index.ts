export { RevocationCopy } from './copy.ts';
export { type Poll, type RevocationEntry, RevocationFeed, type RevocationNews } from './feed.ts';
export { MemoryWatcherRegistry } from './memory.ts';
export { RevocationRecords, StoredRevocations } from './records.ts';
export { type Watching, WatcherRegistry } from './registry.ts';
export { FOREVER, lift, type RevocationRow, revocationRows, revoke } from './rows.ts';
export { CLOCKS_APART_MS, GONE, LEASE_MS, LONGEST_WAIT_MS, MARGIN_MS } from './terms.ts';
export { SystemTime, Time } from './time.ts';
export { RevocationSource, RevocationWatcher } from './watcher.ts';
