/** The languages of the console and of mails. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh-CN', 'ko'] as const;
export type Language = (typeof LANGUAGES)[number];
