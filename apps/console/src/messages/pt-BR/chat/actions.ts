import type { chatActions as English } from '../../en/chat/actions.ts';
import { plural } from '../../plural.ts';

export const chatActions: typeof English = {
  share: 'Compartilhar',
  rename: 'Renomear',
  renamed: 'Chat renomeado.',
  title: 'Nome',
  proposeTitle: 'Sugerir nome',
  pin: 'Fixar',
  unpin: 'Desafixar',
  toProject: 'Mover para um projeto',
  memoryOff: 'Desativar a memória',
  memoryOn: 'Ativar a memória',
  memoryTurnedOff: 'Memória desativada para este chat.',
  memoryTurnedOn: 'Memória ativada para este chat.',
  download: 'Baixar como Markdown',
  print: 'Imprimir',
  deleteChat: 'Excluir',
  deleteTitle: 'Excluir o chat?',
  deleteText: (title) =>
    `“${title}” será excluído com todas as mensagens e todos os arquivos. Essa ação não pode ser desfeita. Os totais de custo são mantidos.`,
  deleted: (title, messages) =>
    `“${title}” excluído com ${plural(messages, { one: '{n} mensagem', other: '{n} mensagens' })}. A chave de criptografia foi destruída.`,
};
