import { sendSmtp, smtpAddress } from '../../../platform/clients/smtp.ts'
import { need, type Probe } from './probe.ts'

export const email: Probe = async (run, target) => {
  const { properties } = target
  const from = need(properties.from || properties.fromAddress || smtpAddress(target).from, 'the From address')
  await sendSmtp(run, target, {
    from: properties.fromName ? `"${properties.fromName.replaceAll(/["\\\r\n]/g, '')}" <${from}>` : from,
    to: from,
    subject: 'Test of a connection',
    text: 'Somebody tested this mail connection in Quarterdeck. It works.',
  })
}
