import type { adminCalls as English } from '../../../en/admin/operations/calls.ts';

export const adminCalls: typeof English = {
  title: 'Chamadas',
  description:
    'Chamadas de modelos por programas, sem um bot, de todos os usuários e contas de serviço. O acesso a esta página é registrado no log de auditoria.',
  start:
    'Os programas precisam de um token de acesso com a permissão “Chamar modelos sem um bot”. Os usuários o criam na página da própria conta, em “Acesso à API”.',
  ofUser: 'Mostrar só as chamadas deste usuário',
  withToken: 'Mostrar só as chamadas com este token',
};
