import type { adminInvitations as English } from '../../en/admin/invitations.ts';

/** Texts of invitations. */
export const adminInvitations: typeof English = {
  description:
    'Personas que recibieron un enlace para crear su cuenta. Un enlace funciona una sola vez, durante siete días. Cada visita a esta página queda en el registro de auditoría.',
  create: 'Invitar a una persona',
  send: 'Enviar la invitación',
  sent: (email) => `Invitación enviada a ${email}.`,
  emptyTitle: 'No hay invitaciones pendientes',
  emptyText: 'Elija «Invitar a una persona» para enviar una. Quienes ya aceptaron están en la lista de usuarios.',
  email: 'Correo electrónico',
  emailHelp: 'Sustituye una invitación anterior a esta dirección.',
  firstName: 'Nombre',
  lastName: 'Apellidos',
  groups: 'Grupos',
  groupsHelp: 'Si no se elige ninguno, la persona recibe los grupos de todos los usuarios nuevos.',
  noGroups: 'Ninguno',
  created: 'Enviada',
  by: (name) => `por ${name}`,
  expires: 'Válida hasta',
  revoke: 'Revocar',
  revokeOf: (email) => `Revocar la invitación a ${email}`,
  revokeTitle: '¿Revocar la invitación?',
  revokeText: (email) => `El enlace del correo enviado a ${email} deja de funcionar.`,
  revoked: 'Invitación revocada.',
};
