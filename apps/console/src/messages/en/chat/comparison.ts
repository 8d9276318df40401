/** Texts of the replies of several models to one question. */
export const comparison = {
  title: 'Comparison of models',
  choose: 'Choose the reply with which the chat continues. The others stay as versions of it.',
  requesting: 'Waiting for the model …',
  continueWithThis: 'Continue with this',
  continueWith: (model: string) => `Continue with this reply by ${model}`,
  stop: 'Stop',
  stopOf: (model: string) => `Stop the reply by ${model}`,
  tokens: (input: string, output: string) => `${input} tokens in, ${output} out`,
  announced: (model: string, event: string) => `${model}: ${event}`,
};
