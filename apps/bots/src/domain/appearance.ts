/** The icons that a bot can have. The console draws them. A name that was released stays valid, because events contain it. */
export const BOT_ICONS = [
  'book',
  'briefcase',
  'building',
  'calculator',
  'calendar',
  'cart',
  'chart',
  'chat',
  'clock',
  'code',
  'compass',
  'cube',
  'cup',
  'database',
  'document',
  'flask',
  'gift',
  'globe',
  'graduation_cap',
  'headset',
  'health',
  'heart',
  'home',
  'key',
  'leaf',
  'light_bulb',
  'mail',
  'megaphone',
  'money',
  'music',
  'palette',
  'pen',
  'people',
  'phone',
  'place',
  'robot',
  'rocket',
  'scales',
  'shield',
  'sparkle',
  'terminal',
  'truck',
  'wrench',
] as const;
export type BotIcon = (typeof BOT_ICONS)[number];

export const BOT_COLOURS = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'indigo', 'purple', 'pink', 'grey'] as const;
export type BotColour = (typeof BOT_COLOURS)[number];

/** How a bot is shown in lists. Absent in events of earlier releases. */
export interface Appearance {
  /** Null: the first letter of the title. */
  readonly icon: BotIcon | null;
  /** Null: the default colour. */
  readonly colour: BotColour | null;
  /** The ID of the picture that is shown instead of the icon. Null: no picture. */
  readonly picture: string | null;
}
