import type { adminInvitations as English } from '../../en/admin/invitations.ts';

export const adminInvitations: typeof English = {
  description:
    'Pessoas que receberam um link para criar a própria conta. Um link funciona uma vez, por sete dias. O acesso a esta página é registrado no log de auditoria.',
  create: 'Convidar pessoa',
  send: 'Enviar convite',
  sent: (email) => `Convite enviado para ${email}.`,
  emptyTitle: 'Não há convites em aberto',
  emptyText: 'Escolha “Convidar pessoa” para enviar um. Quem já aceitou está na lista de usuários.',
  email: 'E-mail',
  emailHelp: 'Um convite anterior para este endereço é substituído.',
  firstName: 'Nome',
  lastName: 'Sobrenome',
  groups: 'Grupos',
  groupsHelp: 'Se nenhum for escolhido, a pessoa recebe os grupos que todos os novos usuários recebem.',
  noGroups: 'Nenhum',
  created: 'Enviado',
  by: (name) => `por ${name}`,
  expires: 'Válido até',
  revoke: 'Revogar',
  revokeOf: (email) => `Revogar o convite para ${email}`,
  revokeTitle: 'Revogar o convite?',
  revokeText: (email) => `O link no e-mail para ${email} deixa de funcionar.`,
  revoked: 'Convite revogado.',
};
