export { type Decider, type Decision, fold } from './decider.ts';
export { Instant } from './instant.ts';
export { refuse, Refusal, type RefusalKind } from './refusal.ts';
