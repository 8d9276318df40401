import type { MailTexts } from './mail-texts.ts';

export const zhCn: MailTexts = {
  greeting: (name) => (name === '' ? '你好：' : `${name}，你好：`),
  chosen: '你收到此邮件，是因为你开启了通知邮件。可以在“账号”页面关闭。',
  mails: {
    email_verification: {
      subject: '请确认邮箱地址',
      body: '请打开链接以确认你的邮箱地址。如果你没有注册，请忽略此邮件。',
      link: '确认地址',
    },
    invitation: {
      subject: '邀请你使用 Parlance',
      body: '管理员邀请你使用 Parlance。请打开链接设置密码。',
      link: '接受邀请',
    },
    password_reset: {
      subject: '设置新密码',
      body: '请打开链接设置新密码。如果这不是你的请求，请忽略此邮件，你的密码不会改变。',
      link: '设置密码',
    },
    password_changed: {
      subject: '你的密码已更改',
      body: '你的账号密码已更改。如果这不是你本人的操作，请立即联系管理员。',
      link: '',
    },
    second_factor_added: {
      subject: '已添加两步验证方式',
      body: '你的账号添加了一种两步验证方式。如果这不是你本人的操作，请立即联系管理员。',
      link: '',
    },
    second_factor_removed: {
      subject: '已移除两步验证方式',
      body: '你的账号移除了一种两步验证方式。如果这不是你本人的操作，请立即联系管理员。',
      link: '',
    },
    second_factors_reset: {
      subject: '你的两步验证方式已被移除',
      body: '你的账号的所有两步验证方式已被移除。如果这不是你的请求，请立即联系管理员。',
      link: '',
    },
    token_created: {
      subject: '已创建个人访问令牌',
      body: '你的账号创建了一个个人访问令牌。程序可以凭此令牌以你的身份操作。如果这不是你本人的操作，请立即联系管理员。',
      link: '',
    },
    budget_nearly_reached: {
      subject: '你的预算已使用大部分',
      body: '你的预算已使用至少 80%。用量页面会显示剩余金额以及下一周期的开始时间。',
      link: '',
    },
    budget_reached: {
      subject: '你的预算已用完',
      body: '预算余额不足以发送下一条消息。用量页面会显示下一周期的开始时间。',
      link: '',
    },
    own_export_ready: {
      subject: '你的数据已准备就绪',
      body: '你的数据导出已完成。请登录并下载文件，文件会保留一天。如果这不是你的请求，请立即联系管理员。',
      link: '打开“你的数据”页面',
    },
    own_export_ready_by_admin: {
      subject: '管理员已为你导出数据',
      body: '管理员申请导出了你的数据。只有你可以下载该文件：请在一天内登录下载。',
      link: '打开“你的数据”页面',
    },
    bot_shared: {
      subject: '有人与你共享了机器人',
      body: '有人与你共享了机器人。',
      link: '打开机器人',
    },
    prompt_shared: {
      subject: '有人与你共享了提示词',
      body: '有人与你共享了提示词。',
      link: '打开提示词',
    },
    project_shared: {
      subject: '有人与你共享了项目',
      body: '你已被添加到一个项目。',
      link: '打开项目',
    },
    approval_wanted: {
      subject: '有回复正在等待你批准',
      body: '你的一个对话中有回复正在等待，需要你批准或拒绝工具的操作。',
      link: '打开对话',
    },
    budget_threshold: {
      subject: '有预算即将用完',
      body: '某项预算已使用至少 80%。',
      link: '打开预算',
    },
    budget_spent: {
      subject: '有预算已用完',
      body: '某项预算的余额不足以支付下一条消息或下一次调用。',
      link: '打开预算',
    },
  },
};
