export { LocalForward } from './forward-in-process.ts';
export { ServiceForward } from './forward.ts';
export { LocalCalls, LocalServices } from './in-process.ts';
export { ServiceCalls, unavailable } from './service-calls.ts';
