import type { modelMenu as English } from '../../en/chat/models.ts';

export const modelMenu: typeof English = {
  search: 'Pesquisar modelos',
  models: 'Modelos',
  noMatch: 'Nenhum modelo encontrado.',
  abilities: {
    vision: 'vê imagens',
    documents: 'lê documentos',
    reasoning: 'pode raciocinar antes',
    prompt_caching: 'armazena prompts em cache',
  },
  context: (tokens) => `${tokens} tokens de contexto`,
  price: (input, output) => `${input} de entrada, ${output} de saída por milhão de tokens`,
  free: 'Gratuito',
  compare: 'Comparar modelos',
  compared: (n) => `Escolhidos: ${n}. É possível comparar dois ou três modelos.`,
  done: 'Concluir',
  noProvider: 'O provedor deste modelo não está conectado. Um administrador pode conectá-lo.',
  notOfBot: (bot) => `“${bot}” não usa este modelo.`,
};
