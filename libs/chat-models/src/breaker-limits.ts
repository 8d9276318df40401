/** When a breaker before a remote model or guardrail opens, and after what time it lets one call through. Other limits are those of the calls. */
export const BREAKER = {
  // opossum opens above this percentage; the breaker opens at 50.
  errorThresholdPercentage: 49.999,
  volumeThreshold: 10,
  rollingCountTimeout: 10_000,
  resetTimeout: 5_000,
  rollingPercentilesEnabled: false,
  enableSnapshots: false,
  // Each call has its own time limits, which also close its connection.
  timeout: false,
} as const;
