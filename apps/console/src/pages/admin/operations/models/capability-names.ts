/** The capabilities of a model. One without a name in the texts is shown by its word in the catalogue. */
export const namesOfCapabilities = (capabilities: readonly string[], names: Readonly<Record<string, string>>): string =>
  capabilities.map((word) => names[word] ?? word.replaceAll('_', ' ')).join(' · ');
