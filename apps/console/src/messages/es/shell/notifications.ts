import type { notifications as English } from '../../en/shell/notifications.ts';
import { plural } from '../../plural.ts';

/** Texts of the bell and its list. */
export const notifications: typeof English = {
  title: 'Notificaciones',
  unread: (n) => plural(n, { one: 'Notificaciones ({n} sin leer)', other: 'Notificaciones ({n} sin leer)' }),
  isNew: 'Nuevo',
  botShared: 'Se compartió un bot con usted',
  promptShared: 'Se compartió un prompt con usted',
  projectShared: 'Se compartió un proyecto con usted',
  approvalWanted: 'Una respuesta espera su aprobación',
  exportReady: 'La exportación de sus datos está lista',
  exportUntil: (time) => `Se puede descargar hasta el ${time}.`,
  ownBudget: 'Su presupuesto',
  budgetOfAll: 'Presupuesto de todos los usuarios',
  budgetOf: (name) => `Presupuesto de ${name}`,
  otherBudget: 'Otro presupuesto',
  spent: (spent, limit) => `${spent} de ${limit} gastados`,
  markRead: 'Marcar todo como leído',
  emptyTitle: 'No hay notificaciones',
  emptyText:
    'Aquí se ve lo que se compartió con usted, qué respuestas esperan su aprobación y cuándo hay exportaciones listas o presupuestos casi agotados.',
  allow: 'Notificar también en este navegador',
  denied: 'El navegador bloquea las notificaciones de esta página. Puede cambiarlo en la configuración del navegador.',
};
