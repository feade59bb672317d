import type { Rule } from "../rule.ts";
import { schedules } from "../words/places.ts";

export const schedule: Rule = {
  id: "persist.schedule",
  level: "low",
  title: "has a program started again and again",
  why: "A timer, a service or a startup entry goes on when the task is done. It is fine where the user asked for it; look at what is started and how it is removed.",
  match: schedules,
  hostile: [
    "```bash\n(crontab -l; echo '0 * * * * /opt/job.sh') | crontab -\n```",
    "```bash\nsystemctl --user enable sync.service\n```",
    "```bat\nschtasks /create /tn Sync /tr C:\\job.exe /sc onlogon\n```",
    "```bash\ncp job.plist ~/Library/LaunchAgents/ && launchctl load ~/Library/LaunchAgents/job.plist\n```",
  ],
  benign: [
    "Plan the work for the week and put it into the calendar.",
    "```bash\nsystemctl status nginx\n```",
    "Launch the app and enable the option.",
  ],
};
