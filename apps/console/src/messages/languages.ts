import type { OwnUser } from '@parlance/client/types';
import type { Administration, Translation } from './translation.ts';

export type Language = NonNullable<OwnUser['language']>;

interface Catalogue {
  readonly translation: () => Promise<{ readonly translation: Translation }>;
  readonly administration: () => Promise<{ readonly administration: Administration }>;
}

/** The languages that are complete, other than English. Each has one file for all users, and one for administrators. */
export const CATALOGUES: Readonly<Partial<Record<Language, Catalogue>>> = {
  de: { translation: () => import('./de/translation.ts'), administration: () => import('./de/administration.ts') },
  fr: { translation: () => import('./fr/translation.ts'), administration: () => import('./fr/administration.ts') },
  es: { translation: () => import('./es/translation.ts'), administration: () => import('./es/administration.ts') },
  'pt-BR': { translation: () => import('./pt-BR/translation.ts'), administration: () => import('./pt-BR/administration.ts') },
  ja: { translation: () => import('./ja/translation.ts'), administration: () => import('./ja/administration.ts') },
  'zh-CN': { translation: () => import('./zh-CN/translation.ts'), administration: () => import('./zh-CN/administration.ts') },
  ko: { translation: () => import('./ko/translation.ts'), administration: () => import('./ko/administration.ts') },
};

/** The languages that can be chosen. */
export const languages: readonly Language[] = ['en', ...(Object.keys(CATALOGUES) as Language[])];
