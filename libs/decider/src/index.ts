export { type Decider, type Decision, fold, type Snapshots, UnknownEvent } from './decider.ts';
export { endsHold, type Holds, MOST_HOLDS, NO_HOLDS, onHold, placesHold, withHold, withoutHold } from './holds.ts';
export { Instant } from './instant.ts';
export { isLeased, LONGEST_LEASE_MILLIS } from './lease.ts';
export { refuse, Refusal, type RefusalKind, type Sentence } from './refusal.ts';
