import {
  Activity,
  Archive,
  Bell,
  Blocks,
  BookUser,
  Bot,
  Box,
  Cable,
  ChartLine,
  CircleDollarSign,
  Clock,
  Container,
  Database,
  Flame,
  FlaskConical,
  Folder,
  FolderSync,
  FolderUp,
  FunctionSquare,
  Gauge,
  GitBranch,
  Globe,
  HardDrive,
  Hash,
  KeyRound,
  Layers,
  Leaf,
  Lightbulb,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Network,
  PackageOpen,
  Pickaxe,
  Play,
  Plug,
  Rabbit,
  Route,
  ScanLine,
  ScrollText,
  Send,
  Server,
  Settings2,
  Shield,
  ShipWheel,
  Signpost,
  Siren,
  SlidersHorizontal,
  SquareTerminal,
  Ticket,
  User,
  Users,
  Waves,
  Waypoints,
  Webhook,
  Workflow,
  Wrench,
  Zap,
} from 'lucide-react'
import type { ReactNode } from 'react'

/** Drawn by us on a 24 by 24 grid in the stroke of the others. */
const own: Record<string, ReactNode> = {
  kubernetes: (
    <>
      <circle cx="12" cy="12" r="7" />
      <circle cx="12" cy="12" r="2" />
      <path d="M12 10V2M13.6 10.8l6.2-5M14 12.5l7.8 1.8M12.9 13.8l3.5 7.2M11.1 13.8l-3.5 7.2M10 12.5l-7.8 1.8M10.4 10.8l-6.2-5" />
    </>
  ),
  aws: <path d="M4 6l2.6 7L12 5l5.4 8L20 6M3.5 16.5c5 4 12 4 16 .5M17 16l3.2.4-.7 3.1" />,
  azure: <path d="M13 3 3.5 19H9l3.5-6.5M13 3l7.5 16H9l6-2-3-4.5" />,
  gcp: (
    <>
      <path d="M8 4h8l4.5 8-4.5 8H8l-4.5-8z" />
      <circle cx="12" cy="12" r="3" />
    </>
  ),
  github: (
    <path d="M6 3l3.2 2.2a9.5 9.5 0 0 1 5.6 0L18 3c.7 1.6.7 3 .4 4.2 2.8 4.2.8 9.3-3.9 10.3.4.8.5 1.6.5 2.5v2M9 22v-3.2c-3 .7-4.2-.8-5-2.3M9 18.8c0-.5.2-.9.5-1.3-4.7-1-6.7-6.1-3.9-10.3C5.3 6 5.3 4.6 6 3" />
  ),
  elasticsearch: <path d="M4 5h12a2.5 2.5 0 0 1 0 5H4M4 10h14a2 2 0 0 1 0 4H4M4 14h12a2.5 2.5 0 0 1 0 5H4" />,
  jira: <path d="M12 2.5 21.5 12 12 21.5 2.5 12zM12 8.5 15.5 12 12 15.5 8.5 12z" />,
  windows: <path d="M4 5.5 10.5 4.6V11H4zM13.5 4.2 20.5 3v8h-7zM4 13.5h6.5v6L4 18.6zM13.5 13.5h7v8l-7-1.2z" />,
}

const lucide: Record<string, LucideIcon> = {
  activity: Activity,
  agent: Bot,
  archive: Archive,
  bell: Bell,
  blocks: Blocks,
  box: Box,
  bucket: PackageOpen,
  cable: Cable,
  chart: ChartLine,
  clock: Clock,
  container: Container,
  cost: CircleDollarSign,
  database: Database,
  directory: BookUser,
  disk: HardDrive,
  flame: Flame,
  flask: FlaskConical,
  flux: Waves,
  folder: Folder,
  function: FunctionSquare,
  gauge: Gauge,
  git: GitBranch,
  globe: Globe,
  hash: Hash,
  helm: ShipWheel,
  key: KeyRound,
  layers: Layers,
  logs: ScrollText,
  mail: Mail,
  message: MessagesSquare,
  mongo: Leaf,
  network: Network,
  play: Play,
  plug: Plug,
  queue: Zap,
  rabbit: Rabbit,
  recommendation: Lightbulb,
  redis: Layers,
  route: Route,
  scale: SlidersHorizontal,
  scraper: Pickaxe,
  send: Send,
  server: Server,
  settings: Settings2,
  share: FolderSync,
  shield: Shield,
  signpost: Signpost,
  siren: Siren,
  subnet: Waypoints,
  terminal: SquareTerminal,
  ticket: Ticket,
  upload: FolderUp,
  user: User,
  users: Users,
  webhook: Webhook,
  workflow: Workflow,
  wrench: Wrench,
  scan: ScanLine,
}

export const names = [...Object.keys(own), ...Object.keys(lucide)]

/** Draws one of our icons; the chunk is loaded when the first icon of the data is shown. */
export function draw(name: string, size: number): ReactNode {
  const Lucide = lucide[name]
  if (Lucide) return <Lucide size={size} aria-hidden />
  const glyph = own[name]
  if (!glyph) return null
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {glyph}
    </svg>
  )
}
