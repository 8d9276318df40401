import type { adminCalls as English } from '../../../en/admin/operations/calls.ts';

export const adminCalls: typeof English = {
  title: '调用记录',
  description: '所有用户和服务账号的程序对模型的调用（不经机器人）。查看此页面会记入审计日志。',
  start: '程序需要具有“调用模型（不经机器人）”权限的访问令牌。用户可在账号页面的“API 访问”中创建。',
  ofUser: '仅显示此用户的调用',
  withToken: '仅显示使用此令牌的调用',
};
