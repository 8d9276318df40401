import type { api as English } from '../../en/account/api.ts';

export const api: typeof English = {
  text: 'Programas chamam os modelos desta instalação com os SDKs e as ferramentas da OpenAI e da Anthropic. Só a URL base e a chave mudam.',

  tokens: 'Tokens para programas',
  tokensText: 'Um token com a permissão “Chamar modelos sem um bot” é a chave. As condições dele podem ser alteradas sem trocar o token.',
  noTokens: 'Você não tem um token que possa chamar modelos',
  noTokensText: 'Escolha “Novo token” e dê a cada programa um token próprio, para poder limitá-lo e revogá-lo separadamente.',

  models: 'Modelos',
  modelsText:
    'Os que seus tokens podem chamar, exceto se as condições de um token os excluírem. Preços em dólares americanos por milhão de tokens.',
  noModels: 'Não há modelos para chamar',
  noModelsText: 'Um administrador precisa conectar um, em Administração, Modelos e preços.',
  model: 'Modelo',
  endpoints: 'Endpoints',
  context: 'Janela de contexto',
  input: 'Entrada',
  output: 'Saída',
  cached: (price) => `em cache ${price}`,
  free: 'Gratuito',
  useOf: (name) => `Exemplos com ${name}`,
  use: 'Exemplos',

  examples: 'Exemplos',
  examplesText: 'São completos e leem o token da variável de ambiente PARLANCE_TOKEN.',
  setToken: 'Uma vez no shell',
  program: 'Programa',
  programs: {
    curl: 'curl',
    'openai-python': 'SDK da OpenAI, Python',
    'openai-node': 'SDK da OpenAI, Node',
    'anthropic-python': 'SDK da Anthropic, Python',
    'anthropic-typescript': 'SDK da Anthropic, TypeScript',
    langchain: 'LangChain, Python',
    'claude-code': 'Claude Code',
    agents: 'Agentes que leem OPENAI_BASE_URL',
  },

  calls: 'Suas chamadas',
  callsText: 'Os custos são os das chamadas listadas. Os custos de chats e bots estão na página de uso.',
  toUsage: 'Uso',
};
