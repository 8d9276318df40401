import type { guardrails as English } from '../../../en/admin/operations/guardrails.ts';
import { plural } from '../../../plural.ts';

export const guardrails: typeof English = {
  title: 'Barreras de protección',
  description:
    'Políticas sobre datos personales, secretos y palabras en mensajes y respuestas. Se configuran en «guardrails», en parlance.config.json, y se aplican en este orden.',
  policy: 'Política',
  surfaces: 'Se aplica a',
  surface: {
    conversations: 'Conversaciones de usuarios',
    published: 'Bots publicados',
    gateway: 'Llamadas de programas a modelos',
  },
  stage: 'Comprueba',
  stages: { input: 'Textos enviados a modelos', output: 'Respuestas' },
  detectors: 'Detecta',
  detector: {
    email: 'Direcciones de correo',
    phone: 'Números de teléfono',
    iban: 'IBAN',
    payment_card: 'Tarjetas de pago',
    national_id: 'Documentos de identidad',
    ip_address: 'Direcciones IP',
    secret: 'Contraseñas y claves',
  },
  words: (count) => plural(count, { one: '{n} palabra o expresión', other: '{n} palabras y expresiones' }),
  regions: (regions) => `Números de teléfono nacionales: ${regions}`,
  action: 'Acción',
  actions: { flag: 'Contabiliza', mask: 'Enmascara', block: 'Bloquea' },
  none: 'No hay políticas',
  noneText: 'No se comprueba nada. Agregue políticas en «guardrails», en parlance.config.json, y reinicie Parlance.',
};
