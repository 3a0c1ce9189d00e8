// The emoji people reach for here, by Slack's names. Others are shown by name, as Slack shows one it does not know.

const ALL = `+1 👍 -1 👎 eyes 👀 white_check_mark ✅ heavy_check_mark ✔️ x ❌ tada 🎉 heart ❤️ joy 😂 smile 😄 slightly_smiling_face 🙂
wink 😉 thinking_face 🤔 raised_hands 🙌 clap 👏 pray 🙏 rocket 🚀 fire 🔥 100 💯 wave 👋 ok_hand 👌 muscle 💪 point_up ☝️ bulb 💡 bug 🐛
warning ⚠️ rotating_light 🚨 hourglass_flowing_sand ⏳ stopwatch ⏱️ zzz 💤 robot_face 🤖 gear ⚙️ wrench 🔧 hammer 🔨 package 📦 lock 🔒
key 🔑 mag 🔍 memo 📝 page_facing_up 📄 file_folder 📁 bar_chart 📊 chart_with_upwards_trend 📈 chart_with_downwards_trend 📉 link 🔗
paperclip 📎 pushpin 📌 calendar 📅 clock1 🕐 email ✉️ speech_balloon 💬 star ⭐ sparkles ✨ zap ⚡ sunny ☀️ cloud ☁️ snowflake ❄️ coffee ☕
pizza 🍕 beer 🍺 cake 🍰 art 🎨 computer 💻 desktop_computer 🖥️ floppy_disk 💾 globe_with_meridians 🌐 earth_africa 🌍 house 🏠
red_circle 🔴 large_yellow_circle 🟡 large_green_circle 🟢 large_blue_circle 🔵 white_circle ⚪ black_circle ⚫ arrow_right ➡️ arrow_left ⬅️
arrow_up ⬆️ arrow_down ⬇️ octagonal_sign 🛑 no_entry ⛔ question ❓ exclamation ❗ information_source ℹ️ sob 😭 cry 😢 sweat_smile 😅
sunglasses 😎 heart_eyes 😍 scream 😱 exploding_head 🤯 shrug 🤷 facepalm 🤦 see_no_evil 🙈 poop 💩 ghost 👻 cat 🐱 dog 🐶 crab 🦀 snail 🐌
turtle 🐢 whale 🐳 unicorn_face 🦄 four_leaf_clover 🍀 seedling 🌱 moon 🌙 first_place_medal 🥇 trophy 🏆 dart 🎯 checkered_flag 🏁`

const words = ALL.split(/\s+/)

/** Names in the order of the picker. */
export const emojiNames = words.filter((_, at) => at % 2 === 0)

const byName = new Map(emojiNames.map((name, at) => [name, words[at * 2 + 1]]))

/** The character, or the name between colons. */
export function emoji(name) {
  return byName.get(name.replace(/::skin-tone-\d$/, '')) ?? `:${name}:`
}

export function isEmoji(name) {
  return byName.has(name)
}
