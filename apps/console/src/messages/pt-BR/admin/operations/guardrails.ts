import type { guardrails as English } from '../../../en/admin/operations/guardrails.ts';
import { plural } from '../../../plural.ts';

export const guardrails: typeof English = {
  title: 'Guardrails',
  description:
    'Políticas para dados pessoais, segredos e palavras em mensagens e respostas. São configuradas em “guardrails”, no parlance.config.json, e se aplicam nesta ordem.',
  policy: 'Política',
  surfaces: 'Aplica-se a',
  surface: { conversations: 'Conversas de usuários', published: 'Bots publicados', gateway: 'Chamadas de modelos por programas' },
  stage: 'Verifica',
  stages: { input: 'Textos enviados a modelos', output: 'Respostas' },
  detectors: 'Detecta',
  detector: {
    email: 'Endereços de e-mail',
    phone: 'Números de telefone',
    iban: 'Códigos IBAN',
    payment_card: 'Cartões de pagamento',
    national_id: 'Documentos de identidade',
    ip_address: 'Endereços IP',
    secret: 'Senhas e chaves',
  },
  words: (count) => plural(count, { one: '{n} palavra ou frase', other: '{n} palavras e frases' }),
  regions: (regions) => `Números de telefone nacionais: ${regions}`,
  action: 'Ação',
  actions: { flag: 'Contabiliza', mask: 'Mascara', block: 'Bloqueia' },
  none: 'Não há políticas',
  noneText: 'Nada é verificado. Adicione políticas em “guardrails”, no parlance.config.json, e reinicie o Parlance.',
};
