import type { holds as English } from '../../../en/admin/operations/holds.ts';

export const holds: typeof English = {
  title: 'Retenciones legales',
  description:
    'Una retención legal impide que se elimine un usuario o un bot, con sus conversaciones, hasta que finalice. Cada visita a esta página queda en el registro de auditoría.',
  create: 'Crear retención',
  createTitle: 'Crear una retención legal',
  place: 'Crear la retención',
  emptyTitle: 'No hay retenciones legales',
  emptyText: 'Cree una con «Crear retención» cuando algo no deba eliminarse, por ejemplo, durante un litigio.',
  kind: 'Proteger',
  kinds: { user: 'Un usuario con todas las conversaciones', bot: 'Un bot con todas las conversaciones' },
  subject: 'Protegido',
  ofUser: 'Usuario',
  ofBot: 'Bot',
  userHelp: 'Escriba el comienzo de un nombre o de una dirección de correo.',
  botHelp: 'Escriba palabras de su título. Para un bot privado, escriba su ID.',
  missing: 'Elija uno de la lista o escriba un ID.',
  reason: 'Motivo',
  reasonHelp: 'Solo para administradores, por ejemplo, un número de expediente. Se elimina cuando finaliza la retención.',
  reasonMissing: 'Escriba un motivo.',
  placed: 'Creada',
  by: (name) => `por ${name}`,
  placedNow: 'Retención legal creada.',
  end: 'Finalizar',
  endOf: (name) => `Finalizar la retención legal de ${name}`,
  endTitle: '¿Finalizar la retención legal?',
  endText: (name) =>
    `${name} y las conversaciones podrán eliminarse de nuevo, también por usuarios y por reglas de conservación. El motivo se elimina. Más adelante se puede crear otra retención legal.`,
  ended: 'Retención legal finalizada.',
};
