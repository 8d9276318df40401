/** The beginning of a line about one read model. Wider than the longest name, so that the texts after it are aligned. */
export const projectionLabel = (service: string, projection: string): string => `${service}: ${projection}`.padEnd(34);
