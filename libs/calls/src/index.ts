export { FreshSecondFactor } from './fresh-second-factor.ts';
export { LocalCalls, LocalServices } from './in-process.ts';
export { HARMLESS, outcomeUnknown, ServiceCalls, unavailable } from './service-calls.ts';
