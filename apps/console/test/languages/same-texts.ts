import type { Language } from '../../src/messages/languages.ts';

const PRODUCTS = ['Amazon Bedrock', 'Anthropic', 'ChatGPT', 'Claude', 'Claude Code', 'JavaScript', 'OpenAI', 'Parlance', 'Python', 'curl'];
const SDKS = [
  'Anthropic SDK, Python',
  'Anthropic SDK, TypeScript',
  'LangChain, Python',
  'OpenAI SDK',
  'OpenAI SDK, Node',
  'OpenAI SDK, Python',
];
const KEYS = ['Ctrl', 'Enter', 'Esc', 'Shift', 'OK'];
const CODE = ['API', 'ID', '<user_id>#CONV#<conversation_id>', 'https://example.org/parlance', 'null', 'parlance.config.json'];
/** No language translates them. */
const NAMES: ReadonlySet<string> = new Set([...PRODUCTS, ...SDKS, ...KEYS, ...CODE]);

/** Words that a language has taken from English, or that both have from elsewhere. */
const WORDS: Readonly<Partial<Record<Language, string>>> = {
  de: 'Administration, Bot, Bots, Budget, Budgets, Chat, Chats, Code, Details, Export, Guardrail, Guardrails, Hash, Headset, IBANs, Index, Indigo, Limit, Limits, Link, Name, Orange, Palette, Passkey, Prompt, Prompts, Region, Route, Server, Sitemaps, Stage, Status, Store, Tags, Terminal, Text, Token, Tools, Uploads, Version, Webhook, Webhooks, optional, yyyy/mm/dd/hh in UTC',
  fr: 'Action, Actions, Administration, Bot, Bots, Budget, Budgets, Code, Configuration, Console, Conversation, Conversations, Correction, Cube, Description, Document, E-mail, Endpoint, Endpoints, Export, Exports, Globe, Image, Index, Indigo, Invitation, Invitations, Menu, Message, Messages, Notifications, Orange, Pages, Palette, Prompt, Prompts, Question, Questions, Robot, Route, Routes, Satisfaction, Secret, Service, Services, Session, Sessions, Sitemaps, Source, Sources, Suggestions, Terminal, Tokens, Total, Type, Variables, Version, Versions, Webhook, Webhooks',
  es: 'Bot, Bots, Chat, Chats, Editor, Endpoint, Endpoints, Error, General, Hash, Prompt, Prompts, Robot, Sitemaps, Terminal, Token, Tokens, Total, Variables, Webhook, Webhooks',
  'pt-BR':
    'Bot, Bots, Chat, Chats, Console, E-mail, Editor, Endpoint, Endpoints, Guardrail, Guardrails, Hash, Link, Menu, Prompt, Prompts, Sitemaps, Status, Tag, Tags, Terminal, Token, Tokens, Total, Webhook, Webhooks',
  ja: 'Webhook',
  'zh-CN': 'Webhook',
};

export const isSameIn = (language: Language, text: string): boolean =>
  NAMES.has(text) || (WORDS[language] ?? '').split(', ').includes(text);
