/** The beginning of a line about one read model. It is wider than the longest name, so that the texts after it are aligned. */
export const projectionLabel = (service: string, projection: string): string => `${service}: ${projection}`.padEnd(34);
