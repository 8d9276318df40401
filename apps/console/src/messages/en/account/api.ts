/** Texts of the page for programs that call models. */
export const api = {
  text: 'Programs call the models of this installation with the SDKs and tools of OpenAI and Anthropic. Only the base URL and the key change.',

  tokens: 'Tokens for programs',
  tokensText: 'A token with the permission “Call models without a bot” is the key. Its terms can be changed in place.',
  noTokens: 'You have no token that may call models',
  noTokensText: 'Choose “New token”, and give each program its own, so that you can limit and revoke it separately.',

  models: 'Models',
  modelsText: 'Those that your tokens may call, unless the terms of a token exclude them. Prices are in US dollars per million tokens.',
  noModels: 'There are no models to call',
  noModelsText: 'An administrator has to connect one, under Administration, Models and prices.',
  model: 'Model',
  endpoints: 'Endpoints',
  context: 'Context window',
  input: 'Input',
  output: 'Output',
  cached: (price: string) => `cached ${price}`,
  free: 'Free',
  useOf: (name: string) => `Examples with ${name}`,
  use: 'Examples',

  examples: 'Examples',
  examplesText: 'They are complete, and read the token from the environment variable PARLANCE_TOKEN.',
  setToken: 'Once in the shell',
  program: 'Program',
  programs: {
    curl: 'curl',
    'openai-python': 'OpenAI SDK, Python',
    'openai-node': 'OpenAI SDK, Node',
    'anthropic-python': 'Anthropic SDK, Python',
    'anthropic-typescript': 'Anthropic SDK, TypeScript',
    langchain: 'LangChain, Python',
    'claude-code': 'Claude Code',
    agents: 'Agents that read OPENAI_BASE_URL',
  },

  calls: 'Your calls',
  callsText: 'The costs are those of the listed calls. Costs of chats and bots are on the page of usage.',
  toUsage: 'Usage',
};
