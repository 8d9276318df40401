import type { adminCalls as English } from '../../../en/admin/operations/calls.ts';

export const adminCalls: typeof English = {
  title: 'Llamadas',
  description:
    'Llamadas de programas a modelos, sin un bot, de todos los usuarios y cuentas de servicio. Cada visita a esta página queda en el registro de auditoría.',
  start:
    'Los programas necesitan un token de acceso con el permiso «Llamar a modelos sin un bot». Los usuarios lo crean en la página de su cuenta, en «Acceso a la API».',
  ofUser: 'Ver solo las llamadas de este usuario',
  withToken: 'Ver solo las llamadas con este token',
};
