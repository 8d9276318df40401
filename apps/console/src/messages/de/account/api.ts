import type { api as English } from '../../en/account/api.ts';

/** Texts of the page for programs that call models. */
export const api: typeof English = {
  text: 'Programme rufen die Modelle dieser Installation mit den SDKs und Tools von OpenAI und Anthropic auf. Nur Basis-URL und Schlüssel ändern sich.',

  tokens: 'Token für Programme',
  tokensText:
    'Ein Token mit der Berechtigung „Modelle ohne Bot aufrufen“ ist der Schlüssel. Seine Bedingungen lassen sich nachträglich ändern.',
  noTokens: 'Sie haben kein Token, das Modelle aufrufen darf',
  noTokensText: 'Wählen Sie „Neues Token“ und geben Sie jedem Programm ein eigenes, damit Sie es einzeln begrenzen und widerrufen können.',

  models: 'Modelle',
  modelsText:
    'Die Modelle, die Ihre Token aufrufen dürfen, sofern die Bedingungen eines Tokens sie nicht ausschließen. Preise in US-Dollar pro Million Token.',
  noModels: 'Es gibt keine Modelle zum Aufrufen',
  noModelsText: 'Ein Administrator muss eines verbinden, in der Administration unter „Modelle und Preise“.',
  model: 'Modell',
  endpoints: 'Endpunkte',
  context: 'Kontextfenster',
  input: 'Eingabe',
  output: 'Ausgabe',
  cached: (price) => `aus Cache ${price}`,
  free: 'Kostenlos',
  useOf: (name) => `Beispiele mit ${name}`,
  use: 'Beispiele',

  examples: 'Beispiele',
  examplesText: 'Sie sind vollständig und lesen das Token aus der Umgebungsvariable PARLANCE_TOKEN.',
  setToken: 'Einmal in der Shell',
  program: 'Programm',
  programs: {
    curl: 'curl',
    'openai-python': 'OpenAI SDK, Python',
    'openai-node': 'OpenAI SDK, Node',
    'anthropic-python': 'Anthropic SDK, Python',
    'anthropic-typescript': 'Anthropic SDK, TypeScript',
    langchain: 'LangChain, Python',
    'claude-code': 'Claude Code',
    agents: 'Agenten, die OPENAI_BASE_URL lesen',
  },

  calls: 'Ihre Aufrufe',
  callsText: 'Die Kosten gelten für die aufgeführten Aufrufe. Die Kosten von Chats und Bots stehen auf der Seite „Nutzung“.',
  toUsage: 'Nutzung',
};
