/** When the breaker of a remote model or guardrail opens, and when it lets one call through again. The calls have their own time limits. */
export const BREAKER = {
  // opossum opens above this percentage. The breaker must open at 50.
  errorThresholdPercentage: 49.999,
  volumeThreshold: 10,
  rollingCountTimeout: 10_000,
  resetTimeout: 5_000,
  rollingPercentilesEnabled: false,
  enableSnapshots: false,
  // Each call has its own time limits, which also close its connection.
  timeout: false,
} as const;
