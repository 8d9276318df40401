/** Texts of the menu of models. */
export const modelMenu = {
  search: 'Search models',
  models: 'Models',
  noMatch: 'No model matches.',
  /** Other abilities are shown by their names. */
  abilities: {
    vision: 'sees images',
    documents: 'reads documents',
    reasoning: 'can reason first',
    prompt_caching: 'caches prompts',
  } as Readonly<Record<string, string>>,
  context: (tokens: string) => `${tokens} tokens of context`,
  price: (input: string, output: string) => `${input} in, ${output} out per million tokens`,
  free: 'Free',
  compare: 'Compare models',
  compared: (n: number) => `${n} chosen. Two or three models can be compared.`,
  done: 'Done',
  noProvider: 'Its provider is not connected. An administrator can connect it.',
  notOfBot: (bot: string) => `“${bot}” does not use this model.`,
};
