export { type Decider, type Decision, fold, type Snapshots, UnknownEvent } from './decider.ts';
export { Instant } from './instant.ts';
export { refuse, Refusal, type RefusalKind, type Sentence } from './refusal.ts';
