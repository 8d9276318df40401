import { profileFields } from '@parlance/contracts';
import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { AsOf } from '../projections/as-of.ts';
import { bothCosts } from './figure-fields.ts';

export const money = z.number().describe('Cost in US dollars, with at most 9 decimals.');
export const asOf = AsOf.nullable().describe('Newest event included in the answer; null before the first event.');
export const nextToken = z.string().nullable();

const nullable = <Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, type]) => [name, type.nullable()])) as {
    [Name in keyof Shape]: z.ZodNullable<Shape[Name]>;
  };

export const UserItem = z.object({
  user_id: z.string(),
  email: z.string().nullable().describe('Null for an erased user, like the names.'),
  ...nullable(profileFields),
  last_sign_in_time: z.int().nullable().describe('Time in epoch seconds.'),
  total_price: money.describe('Cost in the window as billed, in US dollars.'),
  as_corrected: bothCosts.as_corrected,
  input_tokens: z.int(),
  output_tokens: z.int(),
  conversation_count: z.int().describe('Conversations in which the user was charged in the window.'),
  groups: z.array(z.string()),
  enabled: z.boolean(),
});
export type UserItem = z.infer<typeof UserItem>;

export const UsersAnswer = z.object({ as_of: asOf, users: z.array(UserItem), next_token: nextToken });

const share = z.number().nullable().describe('Share of positive ratings, from 0 to 1; null without ratings.');
const date = z.iso.date();

export const BotAnalyticsAnswer = z.object({
  as_of: asOf,
  bot_id: z.string(),
  currency: z.literal('USD'),
  total_queries: z.int().describe('Messages to the bot.'),
  unique_users: z.int().describe('Users who were charged in conversations with the bot, each counted once.'),
  average_satisfaction: share,
  total_cost: money.describe('Cost in US dollars, with the cost of its knowledge. The same as `as_billed`.'),
  ...bothCosts,
  daily: z
    .array(
      z.object({
        date,
        query_count: z.int(),
        unique_users: z.int(),
        cost: money,
        as_corrected: bothCosts.as_corrected,
        satisfaction: share,
      }),
    )
    .describe('Each day of the window.'),
});
export type BotAnalyticsAnswer = z.infer<typeof BotAnalyticsAnswer>;

export const SatisfactionAnswer = z.object({
  as_of: asOf,
  bot_id: z.string(),
  average: share,
  thumbs_up: z.int(),
  thumbs_down: z.int(),
  rated_share: z.number().nullable().describe('Ratings in the window for each reply in it, at most 1; null without replies.'),
  by_category: z.record(z.string(), z.int()).describe('Ratings by category.'),
  comments: z
    .array(
      z.object({
        message_id: z.string().describe('ID of the reply.'),
        comment: z.string(),
        category: z.string().nullable(),
        create_time: z.int().describe('Time of the rating in epoch seconds.'),
      }),
    )
    .describe('Newest comments that are not erased.'),
  daily: z.array(z.object({ date, thumbs_up: z.int(), thumbs_down: z.int(), satisfaction: share })).describe('Days with ratings.'),
});
export type SatisfactionAnswer = z.infer<typeof SatisfactionAnswer>;

export const BadRatingItem = z.object({
  conversation_id: z.string(),
  message_id: z.string().describe('ID of the reply.'),
  user_id: z
    .string()
    .nullable()
    .describe('The user of the conversation; the owner of the bot if it belongs to a published API. Null if it was deleted.'),
  user_name: z.string().nullable().describe('First and last name, or the e-mail address. Null while the identity service is unavailable.'),
  category: z.string().nullable(),
  comment: z.string().nullable().describe('Null without a comment.'),
  create_time: z.int().describe('Time of the rating in epoch seconds.'),
  is_removed: z.boolean().describe('Whether the conversation was deleted. Then the reply and the comment can no longer be read.'),
});
export type BadRatingItem = z.infer<typeof BadRatingItem>;
export const BadRatingsAnswer = z.object({ as_of: asOf, bot_id: z.string(), ratings: z.array(BadRatingItem), next_token: nextToken });
export type BadRatingsAnswer = z.infer<typeof BadRatingsAnswer>;

const bot = {
  id: z.string(),
  title: z.string(),
  description: z.string(),
  icon: z.string().nullable().describe('Name of the icon, as in other lists of bots. Null: the first letter of the title.'),
  colour: z.string().nullable().describe('Null: the default colour.'),
  picture: z.string().nullable().describe('ID of the picture, as in other lists of bots. Null: no picture.'),
  owner_user_id: z.string(),
  shared_scope: z.enum(['private', 'partial', 'all']),
  status: z.string().describe('Sharing status: unshared, shared or pinned@NNN.'),
};

export const PublicBotItem = z.object({
  ...bot,
  is_published: z.boolean().describe('Whether the bot is published as an API.'),
  published_datetime: z.int().nullable().describe('Time in epoch seconds; null for a bot that is not published.'),
  total_price: money.describe('Cost of the bot in the window as billed, in US dollars, with the cost of its knowledge.'),
  as_corrected: bothCosts.as_corrected,
});
export type PublicBotItem = z.infer<typeof PublicBotItem>;
export const PublicBotsAnswer = z.object({ as_of: asOf, bots: z.array(PublicBotItem), next_token: nextToken });

export const BotQualityItem = z.object({
  ...bot,
  query_count: z.int().describe('Messages to the bot in the window.'),
  thumbs_up: z.int(),
  thumbs_down: z.int(),
  satisfaction: share,
  rated_share: z.number().nullable().describe('Ratings in the window for each reply in it, at most 1; null without replies.'),
});
export type BotQualityItem = z.infer<typeof BotQualityItem>;
export const BotQualityAnswer = z.object({ as_of: asOf, bots: z.array(BotQualityItem) });
export type BotQualityAnswer = z.infer<typeof BotQualityAnswer>;

export const PublishedBotItem = z.object({
  ...bot,
  published_stack_name: z.string().describe('Name of the publication.'),
  published_datetime: z.int().describe('Time in epoch seconds.'),
  endpoint: z.string(),
  request_count: z.int().describe('Requests to this publication that were not refused with 429.'),
});
export type PublishedBotItem = z.infer<typeof PublishedBotItem>;
export const PublishedBotsAnswer = z.object({ as_of: asOf, bots: z.array(PublishedBotItem), next_token: nextToken });

nameSchemas({
  AdminUser: UserItem,
  AdminUserPage: UsersAnswer,
  BotAnalytics: BotAnalyticsAnswer,
  BotSatisfaction: SatisfactionAnswer,
  BadRating: BadRatingItem,
  BadRatingPage: BadRatingsAnswer,
  BotQuality: BotQualityItem,
  BotQualityList: BotQualityAnswer,
  PublicBotUsage: PublicBotItem,
  PublicBotPage: PublicBotsAnswer,
  PublishedBot: PublishedBotItem,
  PublishedBotPage: PublishedBotsAnswer,
});
