import type { holds as English } from '../../../en/admin/operations/holds.ts';

export const holds: typeof English = {
  title: 'Preservações',
  description:
    'Uma preservação protege um usuário ou um bot, com suas conversas, contra exclusão até ser encerrada. O acesso a esta página é registrado no log de auditoria.',
  create: 'Criar preservação',
  createTitle: 'Criar preservação',
  place: 'Criar preservação',
  emptyTitle: 'Não há preservações',
  emptyText: 'Crie uma com “Criar preservação” quando algo não puder ser excluído, por exemplo, durante um processo judicial.',
  kind: 'Proteger',
  kinds: { user: 'Um usuário com todas as conversas', bot: 'Um bot com todas as conversas' },
  subject: 'Protegido',
  ofUser: 'Usuário',
  ofBot: 'Bot',
  userHelp: 'Digite o início de um nome ou de um endereço de e-mail.',
  botHelp: 'Digite palavras do título. Para um bot privado, informe o ID.',
  missing: 'Escolha um item da lista ou informe um ID.',
  reason: 'Motivo',
  reasonHelp: 'Só para administradores, por exemplo, o número de um processo. É excluído quando a preservação termina.',
  reasonMissing: 'Informe um motivo.',
  placed: 'Criada',
  by: (name) => `por ${name}`,
  placedNow: 'Preservação criada.',
  end: 'Encerrar',
  endOf: (name) => `Encerrar a preservação de ${name}`,
  endTitle: 'Encerrar a preservação?',
  endText: (name) =>
    `${name} e as conversas poderão voltar a ser excluídos, tanto por usuários quanto por regras de retenção. O motivo é excluído. Você pode criar outra preservação depois.`,
  ended: 'Preservação encerrada.',
};
