import type { api as English } from '../../en/account/api.ts';

/** Texts of the page for programs that call models. */
export const api: typeof English = {
  text: 'Les programmes appellent les modèles de cette instance avec les SDK et outils d’OpenAI et d’Anthropic. Seules l’URL de base et la clé changent.',

  tokens: 'Jetons pour les programmes',
  tokensText:
    'La clé est un jeton doté de l’autorisation « Appeler des modèles sans bot ». Ses conditions peuvent être modifiées sans créer d’autre jeton.',
  noTokens: 'Aucun de vos jetons ne peut appeler de modèles',
  noTokensText: 'Choisissez « Nouveau jeton » et donnez à chaque programme le sien, afin de pouvoir le limiter et le révoquer séparément.',

  models: 'Modèles',
  modelsText:
    'Ceux que vos jetons peuvent appeler, sauf si les conditions d’un jeton les excluent. Les prix sont en dollars américains par million de tokens.',
  noModels: 'Il n’y a aucun modèle à appeler',
  noModelsText: 'Un administrateur doit en connecter un, sous Administration, Modèles et prix.',
  model: 'Modèle',
  endpoints: 'Endpoints',
  context: 'Fenêtre de contexte',
  input: 'Entrée',
  output: 'Sortie',
  cached: (price) => `${price} en cache`,
  free: 'Gratuit',
  useOf: (name) => `Exemples avec ${name}`,
  use: 'Exemples',

  examples: 'Exemples',
  examplesText: 'Ils sont complets et lisent le jeton dans la variable d’environnement PARLANCE_TOKEN.',
  setToken: 'Une seule fois dans le shell',
  program: 'Programme',
  programs: {
    curl: 'curl',
    'openai-python': 'SDK OpenAI, Python',
    'openai-node': 'SDK OpenAI, Node',
    'anthropic-python': 'SDK Anthropic, Python',
    'anthropic-typescript': 'SDK Anthropic, TypeScript',
    langchain: 'LangChain, Python',
    'claude-code': 'Claude Code',
    agents: 'Agents qui lisent OPENAI_BASE_URL',
  },

  calls: 'Vos appels',
  callsText: 'Les coûts sont ceux des appels listés. Ceux des conversations et des bots figurent sur la page Utilisation.',
  toUsage: 'Utilisation',
};
