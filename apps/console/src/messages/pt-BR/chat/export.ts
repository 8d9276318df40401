import type { chatExport as English } from '../../en/chat/export.ts';

export const chatExport: typeof English = {
  you: 'Você',
  exported: (time) => `Exportado em ${time}.`,
  bot: (title) => `Chat com o bot “${title}”.`,
  attached: (name) => `Anexo: ${name}`,
  image: 'imagem',
  tool: (name) => `Chamou a ferramenta ${name}.`,
  failed: 'Esta resposta falhou.',
  page: (page) => `página ${page}`,
  tooLong: (n) => `Apenas as ${n} mensagens mais recentes estão incluídas.`,
};
