import type { api as English } from '../../en/account/api.ts';

/** Texts of the page for programs that call models. */
export const api: typeof English = {
  text: 'Los programas llaman a los modelos de esta instalación con los SDK y las herramientas de OpenAI y Anthropic. Solo cambian la URL base y la clave.',

  tokens: 'Tokens para programas',
  tokensText: 'Un token con el permiso «Llamar a modelos sin un bot» es la clave. Sus condiciones se pueden modificar aquí mismo.',
  noTokens: 'No tiene ningún token que pueda llamar a modelos',
  noTokensText: 'Elija «Nuevo token» y asigne uno a cada programa, para poder limitarlo y revocarlo por separado.',

  models: 'Modelos',
  modelsText:
    'Los que pueden llamar sus tokens, salvo que las condiciones de un token los excluyan. Los precios están en dólares estadounidenses por millón de tokens.',
  noModels: 'No hay modelos a los que llamar',
  noModelsText: 'Un administrador debe conectar uno en «Administración», «Modelos y precios».',
  model: 'Modelo',
  endpoints: 'Endpoints',
  context: 'Ventana de contexto',
  input: 'Entrada',
  output: 'Salida',
  cached: (price) => `en caché ${price}`,
  free: 'Gratis',
  useOf: (name) => `Ejemplos con ${name}`,
  use: 'Ejemplos',

  examples: 'Ejemplos',
  examplesText: 'Están completos y leen el token de la variable de entorno PARLANCE_TOKEN.',
  setToken: 'Una vez en el shell',
  program: 'Programa',
  programs: {
    curl: 'curl',
    'openai-python': 'SDK de OpenAI, Python',
    'openai-node': 'SDK de OpenAI, Node',
    'anthropic-python': 'SDK de Anthropic, Python',
    'anthropic-typescript': 'SDK de Anthropic, TypeScript',
    langchain: 'LangChain, Python',
    'claude-code': 'Claude Code',
    agents: 'Agentes que leen OPENAI_BASE_URL',
  },

  calls: 'Mis llamadas',
  callsText: 'Los costos son los de las llamadas de la lista. Los costos de chats y bots están en la página de uso.',
  toUsage: 'Uso',
};
