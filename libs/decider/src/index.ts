export { type Decider, type Decision, fold, type SnapshotPolicy } from './decider.ts';
export { Instant } from './instant.ts';
export { refuse, Refusal, type RefusalKind } from './refusal.ts';
